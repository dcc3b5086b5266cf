"""Whatever starts the supervisor: a container, gVisor, bubblewrap, unshare, or a plain process."""
