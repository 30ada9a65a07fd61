package millrace.simulation.kafka.network;

/** Where the broker's answer to one request goes, now or later. */
public interface ResponseCallback<T> {
    void value(T value);

    void error(RuntimeException error);
}
