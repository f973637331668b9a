package io.hearth.web.hbase;

import java.util.Optional;
import org.apache.hadoop.hbase.master.HMaster;

/** What one master's page shows, for those who ask by another way than HTTP; the page need not be installed. Stateless. */
public final class MasterLook {

    private MasterLook() {}

    /** All views in one, of a few seconds ago at most; the answer is "not yet" for the first second. */
    public static Answer of(HMaster master) {
        Optional<Published> published = PagePublishers.of(master).fresh();
        return published
                .map(now -> Answer.json(Answer.OK, now.json(View.PAGE)))
                .orElseGet(() -> Answer.problem(Answer.UNAVAILABLE, "A look is being made: ask again in a second."));
    }
}
