package millrace.runtime.service;

/** The version of this build, from the manifest of its jar. */
final class BuildVersion {
    private BuildVersion() {}

    /** {@code Millrace 1.2.3}; classes that are not in a jar have no version. */
    static String text() {
        String version = BuildVersion.class.getPackage().getImplementationVersion();
        return "Millrace " + (version == null ? "(no version: not started from its jars)" : version);
    }
}
