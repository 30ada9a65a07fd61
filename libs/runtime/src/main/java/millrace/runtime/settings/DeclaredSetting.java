package millrace.runtime.settings;

/**
 * A setting as {@code --help} and the reference show it.
 *
 * @param name dotted key
 * @param defaultValue empty where there is none
 */
public record DeclaredSetting(String name, String defaultValue, String doc) {}
