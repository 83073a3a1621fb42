"""When a kernel must stop: at a moment, or because of Ctrl-C.

A kernel without the interpreter's lock calls `watch_stops` repeatedly, at least every few
microseconds. Most calls only count down. Some read the clock, and every few milliseconds one takes
the lock and lets Python handle signals, as `PyErr_CheckSignals` asks of work that takes long
(https://docs.python.org/3/c-api/exceptions.html#c.PyErr_CheckSignals).
"""

cdef extern from "Python.h":
    # Not from cpython.exc, where it raises: what a handler has raised must stay set.
    int PyErr_CheckSignals() noexcept

cdef extern from * nogil:
    """
    #ifdef _WIN32
    #include <windows.h>
    static double linkoracle_seconds(void) {
        LARGE_INTEGER ticks, rate;
        QueryPerformanceCounter(&ticks);
        QueryPerformanceFrequency(&rate);
        return (double)ticks.QuadPart / (double)rate.QuadPart;
    }
    #else
    #include <time.h>
    static double linkoracle_seconds(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
    #endif
    """
    double linkoracle_seconds()

cdef enum Stopped:
    GOES_ON  # it need not stop
    OUT_OF_TIME  # the moment has come
    INTERRUPTED  # a signal handler raised an exception, which is set


cdef struct StopToken:
    double until  # the moment, in seconds of a steady clock
    double signals  # when Python handles signals again
    int rate  # calls from one look at the clock to the next
    int calls  # calls until the next one
    Stopped why  # why it must stop, if it must


cdef inline void watch_start(StopToken *watch, double seconds, int rate) noexcept nogil:
    """Begin work with a time limit in seconds, infinite for none.

    The clock is read once in ``rate`` calls: these should take 0.1 to 1 ms.
    """
    cdef double now = linkoracle_seconds()
    watch.until = now + seconds
    watch.signals = now + 0.005
    watch.rate = rate
    watch.calls = rate
    watch.why = GOES_ON


cdef inline bint watch_looks(StopToken *watch) noexcept nogil:
    """The part of `watch_stops` that reads the clock."""
    cdef double now = linkoracle_seconds()
    watch.calls = watch.rate
    if now >= watch.until:
        watch.why = OUT_OF_TIME
    elif now >= watch.signals:
        with gil:
            if PyErr_CheckSignals() < 0:
                watch.why = INTERRUPTED
        watch.signals = linkoracle_seconds() + 0.005
    return watch.why != GOES_ON


cdef inline bint watch_stops(StopToken *watch) noexcept nogil:
    """Whether to stop now; once true, it stays true."""
    if watch.why != GOES_ON:
        return True
    watch.calls -= 1
    return watch.calls <= 0 and watch_looks(watch)


cdef inline int watch_raise(StopToken *watch, object deadline) except -1:
    """After the work, with the lock: raise what stopped it, if anything did.

    ``deadline`` is the `linkoracle.core.limits.Deadline` that gave the seconds; it raises the
    `SearchTimeout`.
    """
    if watch.why == INTERRUPTED:
        return -1
    while watch.why == OUT_OF_TIME:
        # Until it raises: Python's clock may tick less often than the one here.
        deadline.check()
    return 0
