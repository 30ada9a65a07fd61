package millrace.simulation.kafka.network;

/** Receives the broker's answer to one request, now or later. */
public interface ResponseCallback<T> {
    void value(T value);

    void error(RuntimeException error);
}
