package millrace.processor.sweeping;

/**
 * Counts files whose reports the ledger does not know. There are few of them where all is well: lists of requests that Kafka did not
 * acknowledge, and what forgotten reports left. Many of them say that the ledger is not that of the store. Pure.
 */
final class UnknownFileLimit {
    /** So many are well in a store that this ledger has swept before. */
    static final int FEW = 300;

    private final int few;
    private final int percent;
    private long files;
    private long unknown;

    /**
     * @param few so many may be unknown
     * @param percent of all files that may be
     */
    UnknownFileLimit(int few, int percent) {
        this.few = few;
        this.percent = percent;
    }

    /** @throws SweepRefusedException where, with these, too many are unknown */
    void add(long more, long ofThem) throws SweepRefusedException {
        files += more;
        unknown += ofThem;
        if (unknown > few && unknown * 100 > files * percent) {
            throw new SweepRefusedException(
                    "the ledger knows nothing of " + unknown + " of " + files + " files, more than "
                            + percent
                            + " percent. Is this the store of this Kafka (processor.reports, kafka.bootstrap.servers), and"
                            + " has Kafka lost nothing? If nobody needs these files, start once with"
                            + " --processor.sweep.unknown-percent 100");
        }
    }
}
