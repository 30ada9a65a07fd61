package millrace.processor.repartition;

/** Is told what is done. What it throws ends the work as a kill does. */
interface Progress {
    /** Says nothing. */
    Progress NONE = new Progress() {
        @Override
        public void begins(String what) {
            // Nobody wants to know.
        }

        @Override
        public void did(long records, long bytes) {
            // Nobody wants to know.
        }

        @Override
        public void said(String sentence) {
            // Nobody wants to know.
        }
    };

    /** A step begins, for example to copy a topic. */
    void begins(String what);

    /** So many more records were read of a topic, either to copy them or to compare. */
    void did(long records, long bytes);

    /** Something that the operator has to know. */
    void said(String sentence);
}
