// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.ui.config.UiSettings.UiConfig;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each gate alone, with all others open. */
class ActionAuthorizerTest {

    private final Configuration conf = new Configuration(false);
    private final HMaster master = mock(HMaster.class);
    private final HttpServletRequest request = mock(HttpServletRequest.class);
    private final ServletContext context = mock(ServletContext.class);

    @BeforeEach
    void open() {
        conf.set("hbase.security.authentication.ui", "kerberos");
        conf.setBoolean("hadoop.security.authorization", true);
        conf.set("hbase.security.authentication.spnego.admin.users", "ops");
        when(master.getConfiguration()).thenReturn(conf);
        when(context.getAttribute("admins.acl")).thenReturn(new AccessControlList("ops"));
        when(request.getServletContext()).thenReturn(context);
        when(request.getRemoteUser()).thenReturn("ops");
        when(request.getMethod()).thenReturn("POST");
        when(request.getHeader("X-XSRF-HEADER")).thenReturn("");
        when(request.getContentType()).thenReturn("application/json; charset=utf-8");
    }

    private String refusal(boolean actions) {
        return new ActionAuthorizer(master, new UiConfig(true, actions, 60_000))
                .refusal("heal", request)
                .map(answer -> answer.status() + " " + answer.body())
                .orElse("none");
    }

    @Test
    void whereEveryGateIsOpenNothingIsRefused() {
        assertThat(refusal(true)).isEqualTo("none");
    }

    @Test
    void actionsAreOffByDefault() {
        assertThat(refusal(false))
                .isEqualTo(
                        "403 {\"problem\":\"This page is read-only. Set hearth.ui.actions to true in hbase-site.xml of the"
                                + " HMasters and run update_all_config for more.\"}");
    }

    @Test
    void withoutSecurityItIsAsReadOnlyAsHBasesOwnUi() {
        conf.unset("hbase.security.authentication.ui");
        assertThat(refusal(true)).startsWith("403 {\"problem\":\"HBase's web UI is read-only for you:");
    }

    @Test
    void aReadOnlyUiIsReadOnlyForAdminsToo() {
        conf.setBoolean("hbase.master.ui.readonly", true);
        assertThat(refusal(true)).startsWith("403 {\"problem\":\"HBase's web UI is read-only for you:");
    }

    @Test
    void somebodyWhoIsNotInTheListIsRefused() {
        when(request.getRemoteUser()).thenReturn("mallory");
        assertThat(refusal(true)).startsWith("403 {\"problem\":\"HBase's web UI is read-only for you:");
    }

    /** HBase's list is then of everybody, and without authorization no permission is asked for. */
    @Test
    void withoutAListOfAdminsNobodyIsOne() {
        conf.unset("hbase.security.authentication.spnego.admin.users");
        when(context.getAttribute("admins.acl")).thenReturn(new AccessControlList("*"));
        assertThat(refusal(true))
                .isEqualTo("403 {\"problem\":\"This page is read-only: neither"
                        + " hbase.security.authentication.spnego.admin.users nor"
                        + " hbase.security.authentication.spnego.admin.groups is set, and without them HBase takes"
                        + " everybody who logs in for an administrator.\"}");

        conf.set("hbase.security.authentication.spnego.admin.groups", "admins");
        assertThat(refusal(true)).isEqualTo("none");
    }

    @Test
    void aGetChangesNothing() {
        when(request.getMethod()).thenReturn("GET");
        assertThat(refusal(true)).isEqualTo("405 {\"problem\":\"An action needs a POST.\"}");
    }

    @Test
    void anotherServersPageIsRefused() {
        when(request.getHeader("Sec-Fetch-Site")).thenReturn("cross-site");
        assertThat(refusal(true)).startsWith("403 {\"problem\":\"An action needs the header X-XSRF-HEADER");
        when(request.getHeader("Sec-Fetch-Site")).thenReturn("same-origin");
        assertThat(refusal(true)).isEqualTo("none");
        when(request.getHeader("X-XSRF-HEADER")).thenReturn(null);
        assertThat(refusal(true)).startsWith("403 {\"problem\":\"An action needs the header X-XSRF-HEADER");
    }

    @Test
    void aFormIsNoJson() {
        when(request.getContentType()).thenReturn("application/x-www-form-urlencoded");
        assertThat(refusal(true))
                .isEqualTo("415 {\"problem\":\"An action's body must be JSON, with the type application/json.\"}");
    }

    @Test
    void theAdminPermissionIsNeededWhereThereIsAccessControl() throws Exception {
        AccessChecker checker = mock(AccessChecker.class);
        when(master.getAccessChecker()).thenReturn(checker);
        doThrow(new AccessDeniedException("Insufficient permissions for user 'ops' (global, action=ADMIN)"))
                .when(checker)
                .requirePermission(any(), eq("hearth ui: heal"), eq(null), eq(Permission.Action.ADMIN));
        assertThat(refusal(true))
                .isEqualTo("403 {\"problem\":\"Insufficient permissions for user 'ops' (global, action=ADMIN)\"}");
    }

    @Test
    void accessControlThatIsNotUpYetRefuses() {
        conf.setBoolean("hbase.security.authorization", true);
        assertThat(refusal(true)).isEqualTo("403 {\"problem\":\"HBase's access control does not answer yet.\"}");
    }
}
