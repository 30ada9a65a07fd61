package millrace.simulation.broker;

/** Where the broker's answer to one request goes, now or later. */
public interface Answer<T> {
    void value(T value);

    void error(RuntimeException error);
}
