"""A server at a broker of MQTT 5: public events, and conversations and requests of clients.

Only this package imports aiomqtt.
"""
