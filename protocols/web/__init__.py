"""The page: a server over HTTP and WebSocket. Only here is aiohttp imported."""
