// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.ServerManager;

/**
 * HBase's own web UI with the page in it, over a master that is none: active, and without servers. What it answers is a field that
 * a test sets: the page asks from threads of its own, and a mock must not be taught while somebody asks it.
 */
final class MockMasterWebUi implements AutoCloseable {

    final Configuration conf = HBaseConfiguration.create();

    /** What the master's own methods answer. */
    volatile boolean active = true;

    volatile Optional<ServerName> activeMaster = Optional.empty();
    volatile int activeMasterInfoPort = -1;
    /** What asking for the servers, and for the configuration, throws instead of an answer. */
    volatile Optional<Throwable> noServers = Optional.empty();

    volatile Optional<Throwable> noConfiguration = Optional.empty();

    private final HMaster master = mock(HMaster.class);
    private final ServerManager servers = mock(ServerManager.class);
    private final HttpClient client = HttpClient.newHttpClient();
    private final InfoServer server;

    private MockMasterWebUi(String initializers) throws Exception {
        conf.set("hbase.http.filter.initializers", initializers);
        conf.set("hearth.ui.sample.ms", "1000");
        when(master.getConfiguration()).thenAnswer(asked -> orThrow(noConfiguration, conf));
        when(master.getServerName()).thenReturn(ServerName.valueOf("master1", 16000, 1));
        when(master.isActiveMaster()).thenAnswer(asked -> active);
        when(master.getActiveMaster()).thenAnswer(asked -> activeMaster);
        when(master.getActiveMasterInfoPort()).thenAnswer(asked -> activeMasterInfoPort);
        when(master.isInitialized()).thenReturn(true);
        when(master.isBalancerOn()).thenReturn(true);
        when(master.getServerManager()).thenReturn(servers);
        when(servers.getOnlineServers()).thenAnswer(asked -> orThrow(noServers, Map.of()));
        server = new InfoServer("master", "127.0.0.1", 0, false, conf);
        server.setAttribute("master", master);
        server.start();
    }

    private static <T> T orThrow(Optional<Throwable> failure, T answer) throws Throwable {
        if (failure.isPresent()) {
            throw failure.get();
        }
        return answer;
    }

    static MockMasterWebUi start() throws Exception {
        return new MockMasterWebUi("io.hearth.ui.hbase.HearthUiFilterInitializer");
    }

    /** The same where each request says whose it is. */
    static MockMasterWebUi startWithUsers() throws Exception {
        MockMasterWebUi started = new MockMasterWebUi(
                TestUserInitializer.class.getName() + ",io.hearth.ui.hbase.HearthUiFilterInitializer");
        started.conf.set("hbase.security.authentication.spnego.admin.users", "ops");
        return started;
    }

    void setAttribute(String name, Object value) {
        server.setAttribute(name, value);
    }

    @SuppressWarnings("deprecation") // HBase has no other way to ask.
    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getPort() + path));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws Exception {
        return send(request(path));
    }

    /** What {@code user} gets for an action with this body. */
    String act(String user, String action, String body) throws Exception {
        HttpResponse<String> answer = send(request("/hearth/api/actions/" + action)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json")
                .header("X-XSRF-HEADER", "x")
                .header(TestUserInitializer.USER_HEADER, user));
        return answer.statusCode() + " " + answer.body();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception failure) {
            throw new IllegalStateException("The web UI could not be stopped", failure);
        }
    }
}
