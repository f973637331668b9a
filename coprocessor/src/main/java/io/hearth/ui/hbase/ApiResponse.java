// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import java.util.Map;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * One answer to a request, whoever asks. Immutable.
 *
 * @param status as in HTTP
 * @param headers besides those that every answer has
 */
public record ApiResponse(int status, String contentType, String body, Map<String, String> headers) {

    public static final int OK = 200;
    public static final int BAD_REQUEST = 400;
    static final int FORBIDDEN = 403;
    public static final int NOT_FOUND = 404;
    public static final int METHOD_NOT_ALLOWED = 405;
    public static final int TOO_LARGE = 413;
    static final int WRONG_MEDIA_TYPE = 415;
    public static final int FAILED = 500;
    public static final int UNAVAILABLE = 503;

    /** Nothing of the page comes from elsewhere or goes there, and nobody frames it. */
    public static final Map<String, String> SECURITY_HEADERS = Map.of(
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Cache-Control", "no-store",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Content-Security-Policy",
                    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");

    public static ApiResponse json(int status, String body) {
        return new ApiResponse(status, "application/json;charset=utf-8", body, Map.of());
    }

    public static ApiResponse json(int status, JsonElement json) {
        return json(status, json.toString());
    }

    /** What went wrong, as one sentence in JSON. */
    public static ApiResponse problem(int status, String problem) {
        JsonObject json = new JsonObject();
        json.addProperty("problem", problem);
        return json(status, json);
    }
}
