"""The page: the server over HTTP and WebSocket. Only here is aiohttp imported."""
