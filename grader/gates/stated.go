package gates

import (
	"strings"
	"unicode"
)

// A rubric may state that words of an ask say a value: "25 lakh" says 2500000. Whether they do
// no machine can know in every language, so that each statement is in the certificate's note,
// on the author's word. What can be seen to be false is refused: a number is said by words that
// have one, and a code by words that have one of its figures.

// misstated says what is wrong with words for a value, or "".
func misstated(value, words string) string {
	switch {
	case !strings.ContainsFunc(value, unicode.IsNumber):
		return "" // a currency for its code, say
	case hasNumberWord(words):
		return ""
	case number(nil, value) != nil:
		if strings.ContainsFunc(words, unicode.IsNumber) {
			return ""
		}
		return "which names no number"
	}
	in := figures(words)
	for f := range figures(value) {
		if in[f] {
			return ""
		}
	}
	if strings.ContainsFunc(words, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsNumber(r) }) {
		return "" // figures of another script
	}
	return "which has none of its figures"
}

// figures returns the runs of digits of a text, without leading zeros.
func figures(text string) map[string]bool {
	out := map[string]bool{}
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		out[strings.TrimLeft(run, "0")] = true
	}
	return out
}

func hasNumberWord(words string) bool {
	found := false
	eachToken(strings.ToLower(words), 0, func(t string) {
		for _, part := range strings.FieldsFunc(t, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
			found = found || numberWords[part]
		}
	})
	return found
}

// numberWords are words for numbers in English and Hindi, the latter in both scripts. Words
// that are mostly something else (do, ek, sau) are among them: what they let pass is still on
// the author's word.
var numberWords = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`
		zero nil none no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
		seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands
		million millions billion billions trillion trillions lakh lakhs lac lacs crore crores
		once twice thrice single double triple both pair couple dozen dozens score gross
		half halves third thirds quarter quarters fifth fifths tenth tenths percent percentage
		first second fourth sixth seventh eighth ninth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth
		eighteenth nineteenth twentieth thirtieth
		ek do teen char chaar paanch panch chhah chhe saat aath nau das gyarah barah pandrah bees pachees tees chalees pachaas
		saath sattar assi nabbe sau hazaar hazar arab aadha aadhe dedh dhai paune sava dugna tigna darjan
		शून्य एक दो तीन चार पांच पाँच छह छः छे सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस पच्चीस
		तीस पैंतीस चालीस पैंतालीस पचास साठ सत्तर अस्सी नब्बे सौ हज़ार हजार लाख करोड़ करोड़ अरब आधा आधे आधी डेढ़ ढाई पौने सवा
		दुगना दोगुना तिगुना दर्जन प्रतिशत पहला पहली दूसरा दूसरी तीसरा तीसरी चौथाई तिहाई
	`) {
		out[w] = true
	}
	return out
}()

// statements checks what the rubric states, and returns all of it for the note.
func (s *subject) statements(t *transcript) (note string, ps []Problem) {
	stated := s.task.Rubric.Stated
	var list []string
	for _, value := range sortedKeys(stated) {
		words := stated[value]
		list = append(list, quoted(value)+" as "+quoted(words))
		switch why := misstated(value, words); {
		case !t.toldIn(words, t.cut()):
			ps = append(ps, problem(s.at(), "%q is stated as %q, and nothing told to the agent has these words; use the words of the ask", capped(value), capped(words)))
		case why != "":
			ps = append(ps, problem(s.at(), "%q is stated as %q, %s; state it in words that say it, or put the value where the agent looks", capped(value), capped(words), why))
		}
	}
	if len(list) == 0 {
		return "", nil
	}
	return "; on the author's word: " + strings.Join(list, ", "), ps
}

func quoted(text string) string { return `"` + capped(text) + `"` }
