package millrace.processor.retention;

/**
 * Limits the number of files whose reports the ledger does not know. A few are normal: lists of requests that Kafka did
 * not acknowledge, and files of forgotten reports. Many mean that the store belongs to another ledger. Pure.
 */
final class UnknownFileLimit {
    /** Number of unknown files that is always allowed in a store that this ledger has swept before. */
    static final int FEW = 300;

    private final int few;
    private final int percent;
    private long files;
    private long unknown;

    /**
     * @param few number of unknown files that is always allowed
     * @param percent largest share of unknown files above that number
     */
    UnknownFileLimit(int few, int percent) {
        this.few = few;
        this.percent = percent;
    }

    /** @throws SweepRefusedException where too many files are unknown by now */
    void add(long more, long ofThem) throws SweepRefusedException {
        files += more;
        unknown += ofThem;
        if (unknown > few && unknown * 100 > files * percent) {
            throw new SweepRefusedException(
                    "the ledger knows nothing of " + unknown + " of " + files + " files, more than "
                            + percent
                            + " percent. Is this the store of this Kafka (storage.reports, kafka.bootstrap.servers), and"
                            + " has Kafka lost nothing? If nobody needs these files, start once with"
                            + " --processor.sweep.unknown-percent 100");
        }
    }
}
