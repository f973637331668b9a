// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.ui.config.UiSettings;
import io.hearth.ui.config.UiSettings.UiConfig;
import java.io.IOException;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Says who may change something by the page. All of these must hold: {@code hearth.ui.actions} is true; HBase's own UI lets
 * this user change something ({@code InfoServer.canUserModifyUI}: the UI asks for Kerberos, authorization is on, the user is in
 * the admins' list, and the UI is not read-only), by a list that somebody has set: without one HBase lets everybody in; the request can only come from a page of this server; and HBase's access
 * control, where it is on, gives the user the ADMIN permission that the shell's admin commands need.
 */
final class ActionAuthorizer {

    /** As in Hadoop's and HBase's REST servers: a page of another origin can't send it without being asked first. */
    static final String CSRF_HEADER = "X-XSRF-HEADER";

    private static final String ADMIN_USERS = "hbase.security.authentication.spnego.admin.users";
    private static final String ADMIN_GROUPS = "hbase.security.authentication.spnego.admin.groups";
    private static final String SAME_ORIGIN = "same-origin";
    private static final String TYPED_BY_HAND = "none";

    private final HMaster master;
    private final UiConfig config;

    ActionAuthorizer(HMaster master, UiConfig config) {
        this.master = master;
        this.config = config;
    }

    /** Why this user sees no buttons; empty where there are some. */
    Optional<String> readOnlyReason(HttpServletRequest request) {
        Configuration conf = master.getConfiguration();
        if (!config.actions()) {
            return Optional.of("This page is read-only. Set " + UiSettings.ACTIONS
                    + " to true in hbase-site.xml of the HMasters and run update_all_config for more.");
        }
        if (!InfoServer.canUserModifyUI(request, request.getServletContext(), conf)) {
            return Optional.of("HBase's web UI is read-only for you: changes need hbase.security.authentication.ui ="
                    + " kerberos, hadoop.security.authorization = true, hbase.master.ui.readonly not true, and a user in"
                    + " hbase.security.authentication.spnego.admin.users or .groups.");
        }
        if (conf.get(ADMIN_USERS) == null && conf.get(ADMIN_GROUPS) == null) {
            return Optional.of("This page is read-only: neither " + ADMIN_USERS + " nor " + ADMIN_GROUPS
                    + " is set, and without them HBase takes everybody who logs in for an administrator.");
        }
        return Optional.empty();
    }

    /** The refusal of this action; empty where it may be done. */
    Optional<ApiResponse> refusal(String action, HttpServletRequest request) {
        if (!request.getMethod().equals("POST")) {
            return Optional.of(ApiResponse.problem(ApiResponse.METHOD_NOT_ALLOWED, "An action needs a POST."));
        }
        Optional<String> readOnly = readOnlyReason(request);
        if (readOnly.isPresent()) {
            return readOnly.map(why -> ApiResponse.problem(ApiResponse.FORBIDDEN, why));
        }
        return foreign(request).or(() -> wrongType(request)).or(() -> withoutPermission(action, request));
    }

    private static Optional<ApiResponse> foreign(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        boolean isForeign = site != null && !site.equals(SAME_ORIGIN) && !site.equals(TYPED_BY_HAND);
        return isForeign || request.getHeader(CSRF_HEADER) == null
                ? Optional.of(ApiResponse.problem(
                        ApiResponse.FORBIDDEN,
                        "An action needs the header " + CSRF_HEADER
                                + " (any value), and must not come from a page of another" + " server."))
                : Optional.empty();
    }

    private static Optional<ApiResponse> wrongType(HttpServletRequest request) {
        String type = request.getContentType();
        return type != null && type.split(";", 2)[0].strip().equals("application/json")
                ? Optional.empty()
                : Optional.of(ApiResponse.problem(
                        ApiResponse.WRONG_MEDIA_TYPE,
                        "An action's body must be JSON, with the type application/json."));
    }

    private Optional<ApiResponse> withoutPermission(String action, HttpServletRequest request) {
        AccessChecker checker = master.getAccessChecker();
        if (checker == null) {
            return AccessChecker.isAuthorizationSupported(master.getConfiguration())
                    ? Optional.of(
                            ApiResponse.problem(ApiResponse.FORBIDDEN, "HBase's access control does not answer yet."))
                    : Optional.empty();
        }
        try {
            User user = User.create(UserGroupInformation.createRemoteUser(request.getRemoteUser()));
            checker.requirePermission(user, "hearth ui: " + action, null, Permission.Action.ADMIN);
            return Optional.empty();
        } catch (AccessDeniedException denied) {
            return Optional.of(ApiResponse.problem(ApiResponse.FORBIDDEN, String.valueOf(denied.getMessage())));
        } catch (IOException unanswered) {
            return Optional.of(ApiResponse.problem(
                    ApiResponse.FORBIDDEN, "HBase's access control does not answer: " + unanswered.getMessage()));
        }
    }
}
