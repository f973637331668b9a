// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.common.log.PrintableName;
import io.hearth.ui.config.UiSettings.UiConfig;
import io.hearth.ui.hbase.AdminActionExecutor.AdminAction;
import io.hearth.ui.hbase.AdminActionExecutor.Caller;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator may ask for under {@code /hearth/api/actions/}, past the {@link ActionAuthorizer}: HTTP's
 * part of the {@link AdminActionExecutor}.
 */
final class ActionRequestHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ActionRequestHandler.class);
    private static final int MAX_BYTES = 16_384;
    private static final String VIA_UI = "on the master's page";

    private final HMaster master;
    private final UiMetrics metrics;
    private final ActionAuthorizer authorizer;

    ActionRequestHandler(HMaster master, UiConfig config, UiMetrics metrics) {
        this.master = master;
        this.metrics = metrics;
        this.authorizer = new ActionAuthorizer(master, config);
    }

    /** The answer to a request under {@code /hearth/api/actions}: a GET of that asks whether there are any for this user. */
    ApiResponse of(String path, HttpServletRequest request) throws IOException {
        if (path.equals(UiPaths.ACTIONS) && request.getMethod().equals("GET")) {
            return actionPermission(request);
        }
        String name = path.equals(UiPaths.ACTIONS) ? "" : path.substring(UiPaths.ACTIONS.length() + 1);
        Optional<AdminAction> action = AdminAction.of(name);
        if (action.isEmpty()) {
            return ReadRequestHandler.notFound(path);
        }
        Optional<ApiResponse> refusal = authorizer.refusal(name, request);
        if (refusal.isPresent()) {
            metrics.actionRefused();
            LOG.info(
                    "{} was refused to {} by the page.",
                    PrintableName.of(name),
                    PrintableName.of(request.getRemoteUser()));
            return refusal.get();
        }
        return act(action.get(), request);
    }

    private ApiResponse actionPermission(HttpServletRequest request) {
        Optional<String> readOnly = authorizer.readOnlyReason(request);
        JsonObject json = new JsonObject();
        json.addProperty("allowed", readOnly.isEmpty());
        readOnly.ifPresent(why -> json.addProperty("why", why));
        return ApiResponse.json(ApiResponse.OK, json);
    }

    private ApiResponse act(AdminAction action, HttpServletRequest request) throws IOException {
        JsonObject parameters;
        try {
            parameters = body(request);
        } catch (JsonParseException | IllegalStateException unreadable) {
            return ApiResponse.problem(
                    ApiResponse.BAD_REQUEST,
                    "The body must be a JSON object of at most " + MAX_BYTES + " bytes, such as {\"table\": \"t\"}.");
        }
        ApiResponse answer =
                new AdminActionExecutor(master).act(action, parameters, new Caller(request.getRemoteUser(), VIA_UI));
        if (answer.status() == ApiResponse.OK) {
            metrics.acted();
        }
        return answer;
    }

    private static JsonObject body(HttpServletRequest request) throws IOException {
        byte[] bytes = request.getInputStream().readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
            throw new IllegalStateException("too long");
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.isBlank() ? new JsonObject() : JsonParser.parseString(text).getAsJsonObject();
    }
}
