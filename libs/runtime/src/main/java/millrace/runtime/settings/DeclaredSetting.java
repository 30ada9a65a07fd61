package millrace.runtime.settings;

/**
 * A setting as {@code --help} and the reference page show it.
 *
 * @param name dotted key
 * @param formerly the key before it was renamed; empty where it was not
 * @param defaultValue empty where there is none
 */
public record DeclaredSetting(String name, String formerly, String defaultValue, String doc) {}
