// SignalsTesting
