package millrace.files.store;

import java.util.regex.Pattern;

/** Checks the names of report files, which are the same in every store. */
public final class FileNames {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");
    private static final int LONGEST = 500;

    private FileNames() {}

    public static boolean isName(String name) {
        return name.length() <= LONGEST && NAME.matcher(name).matches();
    }

    /**
     * Returns the name.
     *
     * @throws IllegalArgumentException where it is not a valid name
     */
    public static String checked(String name) {
        if (!isName(name)) {
            throw new IllegalArgumentException("not the name of a report file: " + name);
        }
        return name;
    }
}
