// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.versions;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import javax.servlet.Filter;
import javax.servlet.FilterConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletOutputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.BalanceResponse;
import org.apache.hadoop.hbase.coprocessor.HasMasterServices;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.http.FilterContainer;
import org.apache.hadoop.hbase.http.FilterInitializer;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.ServerManager;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.mockito.MockSettings;

/**
 * What clients ask of an active HMaster with Hearth in it: each RPC of the admin endpoint, and requests of the web UI, which the page's
 * filter sees. Both are made by their names, as HBase makes what its site names, and asked by HBase's own types. Of one thread.
 */
final class MasterRequests {

    private static final String ASKED_OF = "{\"table\":\"t\",\"region\":\"r\",\"regions\":[\"r\"],\"instance\":\"i\","
            + "\"reason\":\"why\",\"leaseSeconds\":1,\"moves\":[{\"region\":\"r\",\"from\":\"a,1,1\",\"to\":\"b,1,1\"}],"
            + "\"dataNodes\":[{\"host\":\"a\",\"operation\":\"READ\",\"outcome\":\"GOOD\",\"agoMs\":1}]}";

    private final Configuration site;
    private final HMaster master = mock(HMaster.class, quietly());
    private final MasterCoprocessorEnvironment environment =
            mock(MasterCoprocessorEnvironment.class, quietly().extraInterfaces(HasMasterServices.class));
    private final FilterContainer webUi = mock(FilterContainer.class, quietly());
    private final List<String> filters = new ArrayList<>();
    private final ServletContext context = mock(ServletContext.class, quietly());
    private final HttpServletResponse response = mock(HttpServletResponse.class, quietly());
    private volatile boolean isStopped;

    /** @param site of the master; it lets {@code ops} act on the page from now on */
    MasterRequests(Configuration site) throws Exception {
        this.site = site;
        site.setBoolean("hearth.ui.actions", true);
        site.set("hbase.security.authentication.ui", "kerberos");
        site.setBoolean("hadoop.security.authorization", true);
        site.set("hbase.security.authentication.spnego.admin.users", "ops");
        when(master.getConfiguration()).thenReturn(site);
        when(master.getServerName()).thenReturn(ServerName.valueOf("master", 16000, 1));
        when(master.isActiveMaster()).thenReturn(true);
        when(master.isInitialized()).thenReturn(true);
        when(master.isStopped()).thenAnswer(asked -> isStopped);
        when(master.isBalancerOn()).thenReturn(true);
        when(master.balance(any())).thenReturn(BalanceResponse.newBuilder().build());
        when(master.getBackupMasters()).thenReturn(List.of());
        ServerManager servers = mock(ServerManager.class, quietly());
        when(servers.getOnlineServers()).thenReturn(Map.of());
        when(master.getServerManager()).thenReturn(servers);
        AssignmentManager assignments = mock(AssignmentManager.class, quietly());
        when(assignments.getRegionStates()).thenReturn(mock(RegionStates.class, quietly()));
        when(master.getAssignmentManager()).thenReturn(assignments);
        when(((HasMasterServices) environment).getMasterServices()).thenReturn(master);
        when(context.getContextPath()).thenReturn("");
        when(context.getAttribute(HMaster.MASTER)).thenReturn(master);
        when(context.getAttribute("admins.acl")).thenReturn(new AccessControlList("ops"));
        when(response.getOutputStream()).thenReturn(mock(ServletOutputStream.class, quietly()));
        doAnswer(added -> filters.add(added.getArgument(1)))
                .when(webUi)
                .addGlobalFilter(anyString(), anyString(), any());
    }

    /** It is asked thousands of times. */
    private static MockSettings quietly() {
        return withSettings().stubOnly();
    }

    /**
     * What went wrong; empty where all was well.
     *
     * @param loader has Hearth's classes
     * @param isSaid whether the log says that something is missing: without that each RPC has to be answered
     */
    List<String> ask(ClassLoader loader, BooleanSupplier isSaid) {
        HookCalls calls = new HookCalls();
        isStopped = false;
        List<String> unanswered = new ArrayList<>();
        calls.call("the page", () -> askThePage(loader, calls));
        calls.call("the endpoint", () -> askTheEndpoint(loader, calls, unanswered));
        if (!unanswered.isEmpty() && !isSaid.getAsBoolean()) {
            calls.add("no answer to " + unanswered);
        }
        return calls.escaped();
    }

    private static Object made(ClassLoader loader, String name) throws ReflectiveOperationException {
        return loader.loadClass(name).getConstructor().newInstance();
    }

    /** The types are those of the protobuf that this line of HBase has for coprocessors. */
    private void askTheEndpoint(ClassLoader loader, HookCalls calls, List<String> unanswered) throws Exception {
        var endpoint = (MasterCoprocessor) made(loader, "io.hearth.admin.rpc.HearthAdminEndpoint");
        calls.call("endpoint.start", () -> endpoint.start(environment));
        HearthThreads.interrupt(loader, "hearth-backup-masters");
        HearthThreads.awaitEnd(loader, "hearth-backup-masters");
        // Whoever asks for the page from now on finds no other publisher, and one of its own ends with the master.
        isStopped = true;
        for (var service : endpoint.getServices()) {
            for (var method : service.getDescriptorForType().getMethods()) {
                var asked = service.getRequestPrototype(method);
                var fields = asked.getDescriptorForType();
                var request = asked.newBuilderForType()
                        .setField(fields.findFieldByName("name"), method.getName())
                        .setField(fields.findFieldByName("value"), ASKED_OF)
                        .build();
                unanswered.add(method.getName());
                calls.call(
                        method.getName(),
                        () -> service.callMethod(method, null, request, answer -> unanswered.remove(method.getName())));
            }
        }
    }

    private void askThePage(ClassLoader loader, HookCalls calls) throws Exception {
        filters.clear();
        var initializer = (FilterInitializer) made(loader, "io.hearth.ui.hbase.HearthUiFilterInitializer");
        calls.call("initFilter", () -> initializer.initFilter(webUi, site));
        for (String name : filters) {
            Filter filter = (Filter) made(loader, name);
            FilterConfig config = mock(FilterConfig.class, quietly());
            when(config.getServletContext()).thenReturn(context);
            calls.call("init", () -> filter.init(config));
            // What the page shows is published once, and then no more: a thread that goes on would take part in what
            // follows.
            calls.call("destroy", filter::destroy);
            HearthThreads.awaitEnd(loader, "hearth-page");
            for (String path :
                    List.of("/hearth", "/hearth/api", "/hearth/api/page", "/hearth/api/cell", "/hearth/api/actions")) {
                calls.call(path, () -> filter.doFilter(request("GET", path), response, (request, response) -> {}));
            }
            for (String path :
                    List.of("/hearth/api/doctor/ask", "/hearth/api/actions/heal", "/hearth/api/actions/advise")) {
                calls.call(path, () -> filter.doFilter(request("POST", path), response, (request, response) -> {}));
            }
            boolean[] isPassedOn = {false};
            calls.call(
                    "HBase's own page",
                    () -> filter.doFilter(
                            request("GET", "/master-status"), response, (request, response) -> isPassedOn[0] = true));
            if (!isPassedOn[0]) {
                calls.add("HBase's own page: it was not asked");
            }
        }
    }

    private HttpServletRequest request(String method, String path) throws Exception {
        HttpServletRequest request = mock(HttpServletRequest.class, quietly());
        when(request.getServletContext()).thenReturn(context);
        when(request.getMethod()).thenReturn(method);
        when(request.getServletPath()).thenReturn(path);
        when(request.getRemoteUser()).thenReturn("ops");
        when(request.getHeader("X-XSRF-HEADER")).thenReturn("x");
        when(request.getContentType()).thenReturn("application/json");
        ServletInputStream body = mock(ServletInputStream.class, quietly());
        when(body.readNBytes(anyInt())).thenReturn(ASKED_OF.getBytes(StandardCharsets.UTF_8));
        when(request.getInputStream()).thenReturn(body);
        return request;
    }
}
