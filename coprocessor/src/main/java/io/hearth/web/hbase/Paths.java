package io.hearth.web.hbase;

/** Which paths of the web UI are the page's. */
final class Paths {

    static final String PAGE = "/hearth";
    static final String API = PAGE + "/api";
    static final String ACTIONS = API + "/actions";

    /** Asks for a round of the doctor. */
    static final String ASK_DOCTOR = API + "/doctor/ask";

    private Paths() {}

    static boolean isOurs(String path) {
        return path.equals(PAGE) || path.startsWith(PAGE + "/");
    }

    /** The same without a slash at its end. */
    static String trimmed(String path) {
        return path.endsWith("/") && path.length() > 1 ? path.substring(0, path.length() - 1) : path;
    }
}
