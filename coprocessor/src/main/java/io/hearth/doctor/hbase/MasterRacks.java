package io.hearth.doctor.hbase;

import io.hearth.doctor.model.ProbeResult;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The racks as the HMaster has them, which it tells nobody; Hearth's page in its web UI does. Stateless. */
final class MasterRacks {

    private MasterRacks() {}

    /** The rack of each RegionServer by its host. */
    static ProbeResult<Map<String, String>> of(InfoServerClient master) {
        ProbeResult<Map<String, String>> racks = master.ask("/hearth/api/servers", page -> {
            Map<String, String> rackByHost = new TreeMap<>();
            page.beginArray();
            while (page.hasNext()) {
                Map<String, String> server = BoundedJsonReader.texts(page, Set.of("name", "rack")::contains);
                String name = server.getOrDefault("name", ":");
                rackByHost.put(
                        name.substring(0, name.lastIndexOf(':')),
                        BoundedJsonReader.printable(server.getOrDefault("rack", "")));
            }
            return ProbeResult.known(rackByHost);
        });
        return racks.ifKnown().isPresent()
                ? racks
                : ProbeResult.unknown(
                        "the HMaster's racks are told by Hearth's page alone, which is not there (docs/install.md)");
    }

    static ProbeResult<String> of(String host, ProbeResult<Map<String, String>> racks) {
        return racks.ifKnown()
                .map(known -> known.getOrDefault(host, ""))
                .map(rack -> rack.isEmpty()
                        ? ProbeResult.<String>unknown("the HMaster can't resolve it")
                        : ProbeResult.known(rack))
                .orElseGet(() -> ProbeResult.unknown(racks.whyUnknown().orElseThrow()));
    }
}
