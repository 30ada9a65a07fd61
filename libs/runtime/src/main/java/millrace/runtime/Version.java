package millrace.runtime;

/** The version of this build, as its jars have it. */
final class Version {
    private Version() {}

    /** {@code Millrace 1.2.3}; classes that are not in a jar have no version. */
    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return "Millrace " + (version == null ? "(no version: not started from its jars)" : version);
    }
}
