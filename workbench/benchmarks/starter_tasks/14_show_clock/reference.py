def show_clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
