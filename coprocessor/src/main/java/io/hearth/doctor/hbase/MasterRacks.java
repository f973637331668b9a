package io.hearth.doctor.hbase;

import io.hearth.doctor.model.Answer;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** The racks as the HMaster has them, which it tells nobody; Hearth's page in its web UI does. Stateless. */
final class MasterRacks {

    private MasterRacks() {}

    /** The rack of each RegionServer by its host. */
    static Answer<Map<String, String>> of(WebUi master) {
        Answer<Map<String, String>> racks = master.ask("/hearth/api/servers", answer -> {
            Map<String, String> rackByHost = new TreeMap<>();
            for (JsonElement each : answer.getAsJsonArray()) {
                JsonObject server = each.getAsJsonObject();
                String name = server.get("name").getAsString();
                rackByHost.put(
                        name.substring(0, name.lastIndexOf(':')),
                        server.get("rack").getAsString());
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
