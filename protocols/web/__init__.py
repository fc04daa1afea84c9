"""The page: a server over HTTP and WebSocket. Only this package imports aiohttp."""
