package millrace.runtime.settings;

/** Settings below {@code disk}. */
public record DiskSettings(
        @Setting(
                value = "268435456",
                doc = "free bytes that each folder needs that is written to; with fewer, no new reports are accepted")
        long minFreeBytes) {
    public static final String PREFIX = "disk";

    public DiskSettings {
        if (minFreeBytes < 0) {
            throw new IllegalArgumentException("min-free-bytes must not be negative: " + minFreeBytes);
        }
    }
}
