// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

/** Which paths of the web UI are the page's. */
final class UiPaths {

    static final String PAGE = "/hearth";
    static final String API = PAGE + "/api";
    static final String ACTIONS = API + "/actions";

    /** Asks for a round of the doctor. */
    static final String RUN_DOCTOR = API + "/doctor/ask";

    private UiPaths() {}

    static boolean isUiPath(String path) {
        return path.equals(PAGE) || path.startsWith(PAGE + "/");
    }

    /** The same without a slash at its end. */
    static String trimmed(String path) {
        return path.endsWith("/") && path.length() > 1 ? path.substring(0, path.length() - 1) : path;
    }
}
