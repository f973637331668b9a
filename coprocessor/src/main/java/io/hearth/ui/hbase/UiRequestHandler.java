// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.ui.config.UiSettings;
import io.hearth.ui.config.UiSettings.UiConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.HMaster;

/** Answers one request in one master. */
final class UiRequestHandler {

    private final HMaster master;
    private final PagePublisher publisher;
    private final UiMetrics metrics;

    UiRequestHandler(HMaster master, PagePublisher publisher, UiMetrics metrics) {
        this.master = master;
        this.publisher = publisher;
        this.metrics = metrics;
    }

    /** Empty where the page is switched off. */
    Optional<ApiResponse> of(String path, HttpServletRequest request) throws Exception {
        UiConfig config = UiSettings.read("", new ConfigurationSettings(master.getConfiguration()))
                .config();
        if (!config.enabled()) {
            return Optional.empty();
        }
        String trimmed = UiPaths.trimmed(path);
        if (trimmed.equals(UiPaths.ACTIONS) || trimmed.startsWith(UiPaths.ACTIONS + "/")) {
            return Optional.of(new ActionRequestHandler(master, config, metrics).of(trimmed, request));
        }
        if (ReadRequestHandler.isDoctorRun(trimmed)) {
            return Optional.of(ReadRequestHandler.startDoctorRun(
                    request.getMethod().equals("POST"),
                    request.getHeader(ActionAuthorizer.CSRF_HEADER) != null,
                    publisher::requestDoctorRun));
        }
        if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            return Optional.of(ApiResponse.problem(
                    ApiResponse.METHOD_NOT_ALLOWED,
                    "Only GET is allowed here; what changes something is under " + UiPaths.ACTIONS + "."));
        }
        Optional<PublishedPage> published = publisher.published();
        if (published.isEmpty()) {
            return Optional.of(trimmed.equals(UiPaths.PAGE) ? ReadRequestHandler.document() : notYet());
        }
        return Optional.of(ReadRequestHandler.get(trimmed, query(request), published.get()));
    }

    private static Map<String, String> query(HttpServletRequest request) {
        Map<String, String> query = new HashMap<>();
        for (String name : new String[] {"at", "index"}) {
            String value = request.getParameter(name);
            if (value != null) {
                query.put(name, value);
            }
        }
        return query;
    }

    private ApiResponse notYet() {
        if (master.isActiveMaster()) {
            return ApiResponse.problem(
                    ApiResponse.UNAVAILABLE, "This master has only just become active: try again in a second.");
        }
        return ApiResponse.problem(
                ApiResponse.UNAVAILABLE,
                master.getActiveMaster()
                        .map(ServerName::getHostname)
                        .map(this::whereTheActiveOneIs)
                        .orElse("This master is a backup, and no master is active."));
    }

    private String whereTheActiveOneIs(String host) {
        int port = master.getActiveMasterInfoPort();
        return "This master is a backup. The active one "
                + (port > 0 ? "has its web UI at " + host + ":" + port : "is on " + host) + ".";
    }
}
