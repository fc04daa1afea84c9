"""The page: the house over HTTP and WebSocket. Only here is aiohttp imported."""
