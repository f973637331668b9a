package io.hearth.sim.scenario;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;

/**
 * Reads a scenario file. The first lines are {@code Title:}, {@code Seed:} and {@code Lasts:}; then come the sections {@code
 * Cluster:}, {@code Load:}, {@code Happens:}, {@code Settings:} and {@code Expect:}, with one sentence on each line. What
 * follows a {@code #} is a remark.
 */
public final class ScenarioReader {

    private final String file;
    private final ScenarioDraft draft;
    private final Map<String, List<Sentence>> sentencesBySection;
    private String section = "";

    private ScenarioReader(String file) {
        this.file = file;
        draft = new ScenarioDraft(file.replaceFirst("\\.[a-z]+$", ""));
        sentencesBySection = draft.sentencesBySection();
    }

    /**
     * The scenario that this text tells.
     *
     * @param file the file's name, for messages
     * @throws ScenarioProblem if a line can't be understood, or names what is not there
     */
    public static Scenario read(String file, List<String> lines) throws ScenarioProblem {
        ScenarioReader reader = new ScenarioReader(file);
        for (int number = 1; number <= lines.size(); number++) {
            String line = lines.get(number - 1).split("#", 2)[0].strip();
            if (!line.isEmpty()) {
                reader.take(number, line);
            }
        }
        return reader.end();
    }

    private void take(int number, String line) throws ScenarioProblem {
        try {
            String heading = line.substring(0, line.length() - 1);
            if (line.endsWith(":") && sentencesBySection.containsKey(heading)) {
                section = heading;
            } else {
                sentence(line);
            }
        } catch (ScenarioProblem problem) {
            throw new ScenarioProblem(file + ", line " + number + ": " + problem.getMessage());
        }
    }

    private void sentence(String line) throws ScenarioProblem {
        List<Sentence> sentences = sentencesBySection.getOrDefault(section, List.of());
        for (Sentence sentence : sentences) {
            Matcher matcher = sentence.pattern().matcher(line);
            if (matcher.matches()) {
                sentence.meaning().take(new Sentence.Words(matcher));
                return;
            }
        }
        List<String> forms = sentences.stream().map(Sentence::form).toList();
        throw new ScenarioProblem("\"" + line + "\" is not understood "
                + (section.isEmpty() ? "before the first section" : "in the section " + section)
                + "; allowed there: " + String.join(" | ", forms));
    }

    private Scenario end() throws ScenarioProblem {
        try {
            return draft.scenario();
        } catch (ScenarioProblem problem) {
            throw new ScenarioProblem(file + ": " + problem.getMessage());
        }
    }
}
