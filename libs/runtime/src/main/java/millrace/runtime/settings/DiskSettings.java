package millrace.runtime.settings;

/** Settings below {@code disk}. */
public record DiskSettings(
        @Setting(
                value = "268435456",
                doc =
                        "bytes that must be free in each folder that is written to; with less, no new reports are accepted")
        long minFreeBytes) {
    public static final String PREFIX = "disk";

    public DiskSettings {
        if (minFreeBytes < 0) {
            throw new IllegalArgumentException("min-free-bytes must not be negative: " + minFreeBytes);
        }
    }
}
