// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.ui.hbase.ApiResponse;
import io.hearth.ui.hbase.DoctorScheduler;
import io.hearth.ui.hbase.PublishedPage;
import io.hearth.ui.hbase.ReadRequestHandler;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hearth's page of a cluster as a process sees it from outside, for the one person who started it ({@link LocalUiServer}). */
public final class LocalUi implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(LocalUi.class);

    private static final long EVERY_MS = 5_000;

    private final Connection connection;
    private final LiveCluster cluster;
    private final LocalUiServer server;
    private final DoctorScheduler doctor;
    private volatile PublishedPage published;

    private LocalUi(Connection connection, LiveCluster cluster, int port, DoctorScheduler doctor) throws IOException {
        this.connection = connection;
        this.cluster = cluster;
        this.doctor = doctor;
        this.published = ClientPageBuilder.of(cluster, doctor.report());
        this.server = LocalUiServer.open(port, this::answer);
    }

    /** Observes the cluster for the first time and begins to answer. */
    public static LocalUi open(Configuration site, int port) throws IOException {
        Connection connection = ConnectionFactory.createConnection(site);
        LiveCluster cluster = LiveCluster.forDisplay(connection, site);
        cluster.observe(2);
        DoctorScheduler doctor = DoctorScheduler.inClient(
                failure -> LOG.warn("The doctor could not examine the cluster; what he found last is shown.", failure));
        LocalUi page = new LocalUi(connection, cluster, port, doctor);
        page.server.start();
        return page;
    }

    /** The address to open, with the token that it needs. */
    public String url() {
        return server.url();
    }

    /** Observes again and again; ends with the process, or when the cluster can't be read. */
    public void serve() throws IOException {
        while (true) {
            LiveCluster.pause(EVERY_MS);
            doctor.runIfDue(cluster.connection().getConfiguration(), System.currentTimeMillis());
            cluster.observe();
            published = ClientPageBuilder.of(cluster, doctor.report());
        }
    }

    private ApiResponse answer(String path, Map<String, String> query) {
        if (ReadRequestHandler.isDoctorRun(path)) {
            return ReadRequestHandler.startDoctorRun(true, true, doctor::requestRun);
        }
        return path.equals("/hearth/api/actions")
                ? ApiResponse.json(
                        ApiResponse.OK,
                        "{\"allowed\":false,\"inMaster\":false,\"why\":\"This page observes the cluster from outside and changes nothing.\"}")
                : ReadRequestHandler.get(path, query, published);
    }

    @Override
    public void close() throws IOException {
        server.close();
        cluster.close();
        connection.close();
    }
}
