// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonReader;

/** The racks as the HMaster has them, which it tells nobody; the cluster's state on Hearth's page in its web UI does. Stateless. */
final class MasterRacks {

    private static final String STATE = "/hearth/api/state";

    private MasterRacks() {}

    /** The rack of each RegionServer by its host. */
    static ProbeResult<Map<String, String>> of(InfoServerClient master) {
        ProbeResult<Map<String, String>> racks = master.ask(STATE, MasterRacks::read);
        return racks.whyUnknown()
                .map(why -> ProbeResult.<Map<String, String>>unknown(
                        "the HMaster's racks are told by Hearth's page alone (docs/install.md): " + why))
                .orElse(racks);
    }

    private static ProbeResult<Map<String, String>> read(JsonReader state) throws IOException {
        if (!BoundedJsonReader.enter(state, "servers")) {
            return ProbeResult.unknown(STATE + " has no servers");
        }
        Map<String, String> rackByHost = new TreeMap<>();
        state.beginArray();
        while (state.hasNext()) {
            Map<String, String> server = BoundedJsonReader.texts(state, Set.of("host", "rack")::contains);
            rackByHost.put(
                    server.getOrDefault("host", ""), BoundedJsonReader.printable(server.getOrDefault("rack", "")));
        }
        return ProbeResult.known(rackByHost);
    }

    /** The rack of one host. */
    static ProbeResult<String> of(String host, ProbeResult<Map<String, String>> racks) {
        return racks.ifKnown()
                .map(known -> known.getOrDefault(host, ""))
                .map(rack -> rack.isEmpty()
                        ? ProbeResult.<String>unknown("the HMaster can't resolve it")
                        : ProbeResult.known(rack))
                .orElseGet(() -> ProbeResult.unknown(racks.whyUnknown().orElseThrow()));
    }
}
