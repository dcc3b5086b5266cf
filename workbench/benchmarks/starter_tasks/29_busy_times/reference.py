def busy_times(meetings: list[list[int]]) -> list[list[int]]:
    times: list[list[int]] = []
    for start, end in sorted(meetings):
        if times and start <= times[-1][1]:
            times[-1][1] = max(times[-1][1], end)
        else:
            times.append([start, end])
    return times
