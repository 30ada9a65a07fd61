package millrace.processor.repartition;

/** Is told what is done. What it throws ends the work as a kill does. */
interface Progress {
    /** A step begins, for example to copy a topic. */
    default void begins(String what) {}

    /** So many more records were read of a topic, either to copy them or to compare. */
    default void did(long records, long bytes) {}

    /** Something that the operator has to know. */
    default void said(String sentence) {}
}
