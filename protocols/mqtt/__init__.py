"""A server at a broker of MQTT 5: its events for all, conversations and requests of clients. Only here is aiomqtt imported."""
