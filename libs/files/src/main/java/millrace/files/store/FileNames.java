package millrace.files.store;

import java.util.regex.Pattern;

/** Names of report files, the same in every store. */
public final class FileNames {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");
    private static final int LONGEST = 500;

    private FileNames() {}

    public static boolean isName(String name) {
        return name.length() <= LONGEST && NAME.matcher(name).matches();
    }

    /** @throws IllegalArgumentException where it is none */
    public static String checked(String name) {
        if (!isName(name)) {
            throw new IllegalArgumentException("not the name of a report file: " + name);
        }
        return name;
    }
}
