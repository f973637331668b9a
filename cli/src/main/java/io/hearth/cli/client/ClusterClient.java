// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.admin.rpc.AdminCall;
import io.hearth.admin.rpc.HearthAdminClient;
import io.hearth.cli.heal.RegionMetricsFetcher;
import io.hearth.ui.hbase.ApiResponse;
import io.hearth.ui.hbase.ReadRequestHandler;
import io.hearth.ui.model.PageInput.DoctorReport;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * One cluster, asked through Hearth's endpoint in its master where there is one, and observed from outside where there is none.
 * Used by one thread.
 */
public final class ClusterClient implements Closeable {

    private static final int TRIES = 40;
    private static final long BETWEEN_TRIES_MS = 500;

    private final Configuration site;
    private final Connection connection;
    private final Admin admin;
    private final Duration longest;
    private Optional<LiveCluster> direct = Optional.empty();

    private ClusterClient(Configuration site, Connection connection, Admin admin, Duration longest) {
        this.longest = longest;
        this.site = site;
        this.connection = connection;
        this.admin = admin;
    }

    /** Connects; the master is not asked yet. */
    public static ClusterClient open(Configuration site) throws IOException {
        return open(site, RegionMetricsFetcher.LONGEST);
    }

    /** The same, where RegionServers that are observed from outside have so long for an answer. */
    public static ClusterClient open(Configuration site, Duration longest) throws IOException {
        Connection connection = ConnectionFactory.createConnection(site);
        return new ClusterClient(site, connection, connection.getAdmin(), longest);
    }

    /**
     * What was seen, and by whom. Immutable.
     *
     * @param silentServers how many live RegionServers did not answer whoever observed from outside, and are in nothing of it
     */
    public record Observation(JsonObject page, boolean byMaster, int silentServers) {}

    /**
     * The answer to this; empty where Hearth's endpoint is not in the master.
     *
     * @throws IOException if the endpoint failed, or can't be asked
     */
    public Optional<ApiResponse> ask(AdminCall ask, JsonObject json) throws IOException {
        Optional<ApiResponse> answer = HearthAdminClient.ask(admin, ask, json.toString());
        if (answer.isPresent() && answer.get().status() == ApiResponse.FAILED) {
            throw new IOException(object(answer.get()).get("problem").getAsString());
        }
        return answer;
    }

    /**
     * How things stand.
     *
     * @param seconds for how long to observe where nobody has observed before
     */
    public Observation observe(int seconds) throws IOException {
        Optional<JsonObject> published = direct.isPresent() ? Optional.empty() : statusFromMaster();
        if (published.isPresent()) {
            return new Observation(published.get(), true, 0);
        }
        JsonObject page = observeDirectly(seconds);
        return new Observation(
                page, false, direct.map(LiveCluster::silentServers).orElse(0));
    }

    /** The status by Hearth in the master; empty where its endpoint is not there. */
    public Optional<JsonObject> statusFromMaster() throws IOException {
        for (int left = TRIES; left > 0; left--) {
            Optional<ApiResponse> answer = ask(AdminCall.GET_STATUS, new JsonObject());
            if (answer.isEmpty()) {
                return Optional.empty();
            }
            if (answer.get().status() == ApiResponse.OK) {
                return Optional.of(object(answer.get()));
            }
            LiveCluster.pause(BETWEEN_TRIES_MS);
        }
        throw new IOException("Hearth in the master has observed no cluster state for "
                + TRIES * BETWEEN_TRIES_MS / 1_000 + " s; its log may say why");
    }

    private JsonObject observeDirectly(int seconds) throws IOException {
        if (direct.isEmpty()) {
            direct = Optional.of(LiveCluster.forDisplay(connection, site, longest));
            direct.get().observe(seconds);
        } else {
            direct.get().observe();
        }
        return object(ReadRequestHandler.get(
                "/hearth/api/page", Map.of(), ClientPageBuilder.of(direct.get(), DoctorReport.NOT_YET)));
    }

    static JsonObject object(ApiResponse answer) {
        return JsonParser.parseString(answer.body()).getAsJsonObject();
    }

    Configuration site() {
        return site;
    }

    Connection connection() {
        return connection;
    }

    Admin admin() {
        return admin;
    }

    @Override
    public void close() throws IOException {
        direct.ifPresent(LiveCluster::close);
        admin.close();
        connection.close();
    }
}
