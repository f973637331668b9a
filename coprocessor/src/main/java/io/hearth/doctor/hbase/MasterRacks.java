package io.hearth.doctor.hbase;

import io.hearth.doctor.model.Answer;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The racks as the HMaster has them, which it tells nobody; Hearth's page in its web UI does. Stateless. */
final class MasterRacks {

    private MasterRacks() {}

    /** The rack of each RegionServer by its host. */
    static Answer<Map<String, String>> of(WebUi master) {
        Answer<Map<String, String>> racks = master.ask("/hearth/api/servers", page -> {
            Map<String, String> rackByHost = new TreeMap<>();
            page.beginArray();
            while (page.hasNext()) {
                Map<String, String> server = JsonPages.texts(page, Set.of("name", "rack")::contains);
                String name = server.getOrDefault("name", ":");
                rackByHost.put(
                        name.substring(0, name.lastIndexOf(':')), JsonPages.printable(server.getOrDefault("rack", "")));
            }
            return Answer.known(rackByHost);
        });
        return racks.ifKnown().isPresent()
                ? racks
                : Answer.unknown(
                        "the HMaster's racks are told by Hearth's page alone, which is not there (docs/page.md)");
    }

    static Answer<String> of(String host, Answer<Map<String, String>> racks) {
        return racks.ifKnown()
                .map(known -> known.getOrDefault(host, ""))
                .map(rack ->
                        rack.isEmpty() ? Answer.<String>unknown("the HMaster can't resolve it") : Answer.known(rack))
                .orElseGet(() -> Answer.unknown(racks.whyUnknown().orElseThrow()));
    }
}
