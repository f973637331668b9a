// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.balancer.hbase.BalancerView;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonReader;

/** What Hearth's balancer in the active HMaster says in its page {@code /jmx} and nobody else knows. Stateless. */
final class BalancerViewBean {

    static final String FLAPPING = "FlappingServers";

    private static final String PAGE = "/jmx?qry=" + URLEncoder.encode(BalancerView.NAME, StandardCharsets.UTF_8);

    /** More RegionServers no cluster has. */
    private static final int MAX_SERVERS = 10_000;

    private BalancerViewBean() {}

    /** As {@code host:port}, the RegionServers that were restarted three times within an hour; unknown where Hearth does not balance. */
    static ProbeResult<List<String>> flapping(InfoServerClient master) {
        return master.ask(PAGE, BalancerViewBean::read);
    }

    private static ProbeResult<List<String>> read(JsonReader page) throws IOException {
        if (BoundedJsonReader.enter(page, "beans")) {
            page.beginArray();
            if (page.hasNext() && BoundedJsonReader.enter(page, FLAPPING)) {
                return ProbeResult.known(servers(page));
            }
        }
        return ProbeResult.unknown("its page /jmx has no " + FLAPPING + " of the bean " + BalancerView.NAME);
    }

    private static List<String> servers(JsonReader page) throws IOException {
        List<String> servers = new ArrayList<>();
        page.beginArray();
        while (page.hasNext() && servers.size() < MAX_SERVERS) {
            servers.add(BoundedJsonReader.printable(page.nextString()));
        }
        return servers;
    }
}
