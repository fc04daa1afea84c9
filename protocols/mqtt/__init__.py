"""The server over MQTT 5: what happens, for all; conversations and requests, for each. Only here is aiomqtt imported."""
