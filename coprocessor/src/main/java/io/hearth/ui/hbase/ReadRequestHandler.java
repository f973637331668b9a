// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.ui.document.PageDocument;
import io.hearth.ui.model.Page;
import io.hearth.ui.model.Page.RegionTreemap;
import java.util.Map;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/** Answers everything that only asks and changes nothing, from what was published. Stateless. */
public final class ReadRequestHandler {

    private static final String CELL = "cell";

    private ReadRequestHandler() {}

    /**
     * The answer to a GET.
     *
     * @param path from {@code /hearth} on
     * @param query the parameters by name
     */
    public static ApiResponse get(String path, Map<String, String> query, PublishedPage published) {
        String trimmed = UiPaths.trimmed(path);
        if (trimmed.equals(UiPaths.PAGE)) {
            return document();
        }
        if (trimmed.equals(UiPaths.API)) {
            return ApiResponse.json(ApiResponse.OK, index());
        }
        String name = trimmed.startsWith(UiPaths.API + "/") ? trimmed.substring(UiPaths.API.length() + 1) : "";
        if (name.equals(CELL)) {
            return cell(query, published.page());
        }
        return ApiResource.of(name)
                .map(resource -> ApiResponse.json(ApiResponse.OK, published.json(resource)))
                .orElseGet(() -> notFound(trimmed));
    }

    /** The page itself, which asks for everything else. */
    static ApiResponse document() {
        return new ApiResponse(
                ApiResponse.OK,
                "text/html;charset=utf-8",
                PageDocument.html(),
                Map.of("Content-Security-Policy", PageDocument.contentSecurityPolicy()));
    }

    /** Whether this asks for a round of the doctor. */
    public static boolean isDoctorRun(String path) {
        return UiPaths.trimmed(path).equals(UiPaths.RUN_DOCTOR);
    }

    /** The answer to that. A page of another server can't send the header without being asked first. */
    public static ApiResponse startDoctorRun(boolean isPost, boolean hasHeader, Runnable ask) {
        if (!isPost || !hasHeader) {
            return ApiResponse.problem(
                    isPost ? ApiResponse.FORBIDDEN : ApiResponse.METHOD_NOT_ALLOWED,
                    "The doctor is asked by a POST with the header " + ActionAuthorizer.CSRF_HEADER + " (any value).");
        }
        ask.run();
        return ApiResponse.json(ApiResponse.OK, "{\"done\":\"The doctor asks every process again.\"}");
    }

    static ApiResponse notFound(String path) {
        return ApiResponse.problem(
                ApiResponse.NOT_FOUND, "There is no " + path + ". " + UiPaths.API + " lists everything that there is.");
    }

    private static JsonArray index() {
        JsonArray all = new JsonArray();
        for (ApiResource resource : ApiResource.values()) {
            JsonObject one = new JsonObject();
            one.addProperty("path", UiPaths.API + "/" + resource.path());
            one.addProperty("what", resource.doc());
            all.add(one);
        }
        return all;
    }

    /** The region behind a cell of the picture, which has no names. */
    private static ApiResponse cell(Map<String, String> query, Page page) {
        RegionTreemap treemap = page.treemap();
        Optional<Long> at = number(query.get("at"));
        Optional<Long> index = number(query.get("index"));
        if (at.isEmpty()
                || index.isEmpty()
                || index.get() < 0
                || index.get() >= treemap.cells().size()) {
            return ApiResponse.problem(
                    ApiResponse.BAD_REQUEST,
                    "at must be the atMs of " + UiPaths.API + "/treemap, and index a number from 0 to below "
                            + treemap.cells().size() + ".");
        }
        if (at.get() != page.input().atMs()) {
            return ApiResponse.problem(ApiResponse.NOT_FOUND, "These cells are out of date: read the treemap again.");
        }
        EncodedRegionName region = treemap.cells().get(index.get().intValue()).region();
        JsonObject json = new JsonObject();
        json.addProperty("region", region.encodedName());
        return ApiResponse.json(ApiResponse.OK, json);
    }

    private static Optional<Long> number(@Nullable String text) {
        try {
            return text == null ? Optional.empty() : Optional.of(Long.valueOf(text));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }
}
