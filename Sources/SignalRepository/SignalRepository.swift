// SignalRepository
