package prompt

import (
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
	"strings"

	"tidemark/load/token"
)

// Filler returns a synthetic text of about so many tokens (as package token
// estimates them: as many as asked, or one more), from a seed and a name alone.
// The same two give the same text, and of texts of one seed and name the
// shorter is what the longer begins with. It is empty where tokens is below 1.
func Filler(seed uint64, name string, tokens int) string {
	if tokens < 1 {
		return ""
	}
	hash := fnv.New64a()
	hash.Write([]byte(name))
	pcg := rand.NewPCG(seed, hash.Sum64())
	pick := func(n int) int { // by the raw bits, as in Order
		high, _ := bits.Mul64(pcg.Uint64(), uint64(n))
		return int(high)
	}
	var text strings.Builder
	text.Grow(tokens * 5)
	enough := 100*tokens - 50 // in hundredths: the estimate rounds
	left := 0                 // words of the sentence
	for count := 0; count < enough; {
		word := &fillers[pick(len(fillers))]
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		if left == 0 {
			text.WriteByte(word.text[0] - 'a' + 'A')
			text.WriteString(word.text[1:])
			left = 6 + pick(9)
		} else {
			text.WriteString(word.text)
		}
		count += word.cost
		if left--; left == 0 && count < enough {
			text.WriteByte('.')
			count += fullStop
		}
	}
	return text.String()
}

// filler is a word and what it takes, with a space, of a text's tokens, in
// hundredths.
type filler struct {
	text string
	cost int
}

// fillers are measured once: in an estimate of a hundred of them a token is a
// hundredth of each. Counting character by character would take most of the
// time that a text takes.
var (
	fillers  = measured(strings.Fields(words))
	fullStop = hundredths("a.") - hundredths("a")
)

func measured(words []string) []filler {
	all := make([]filler, len(words))
	for i, w := range words {
		all[i] = filler{w, hundredths(w)}
	}
	return all
}

func hundredths(s string) int { return token.Estimate(strings.Repeat(s+" ", 100)) }

// words are ordinary ones, of three to seven letters each.
const words = `
about above across after again ago air all almost along also always and any apple arm around ask autumn away baby back bag
ball band bank bar base basket beach bear beat become bed before begin behind bell below bench best better bird black blue
board boat body book both bottle bowl box boy branch bread break brick bridge bright bring brown build busy but butter buy
cake call calm camp candle car card care carry cart case cat catch chain chair chalk change cheap cheese chest child circle
city clay clean clear clock close cloth cloud coat coin cold colour come cook copper corn corner count cover cow cross cup cut
dance dark day deep desk dinner dish doctor dog door down draw dream dress drink drive drop dry duck dust each ear early earth
east eat edge egg eight empty end engine enough every eye face fact fair fall family far farm fast father field fill find fine
fire first fish five flag flat floor flour flower fly follow food foot forest fork form four fox free fresh friend from front
fruit full garden gate gather gave get gift girl give glad glass goat gold good grain grass great green grey ground group grow
half hall hammer hand happy hard hat have hay head hear heart heavy help hen here high hill hold hole home honey hope horse
hour house how hundred ice ink inside iron island jam jar join jump just keep kettle key kind king knife know lake lamp land
large last late laugh lead leaf learn leave left leg lemon letter light like line lion list little live long look loud love
low lunch make man many map mark market mat meal meat meet melon metal middle milk mill mind minute mirror money month moon more
morning most mother mouse mouth move much music must nail name narrow near neck need nest net never new next night nine noise
north nose note now number oak oar oat often oil old once one onion only open orange other out oven over owl own page paint
pan paper park part pass path pear pen pepper people piano piece pig pine pipe place plain plan plant plate play plough plum
pocket pond poor post pot potato press print pull pump push put quick quiet quite rabbit rain raise reach read ready red rest
rice rich ride right ring rise river road roof room root rope rose round row run sack sail salt same sand save say school sea
season seat second see seed sell send seven shade shape share sheep shelf shell ship shirt shoe shop shore short show side
silk silver sing sister sit six skin sky sleep slow small smile smoke snow soap soft soil some song soon sound soup south
speak spoon spring square stair stand star start stay steel step still stone stop store storm story straw street string strong
sugar summer sun swan sweet swim table tail take talk tall tea teach tell ten tent than that there these thick thin thing think
third this thread three tide tin today tool top touch town trace track train travel tree true turn twelve twice two under
until use valley very view visit voice wait walk wall warm wash watch water wave wax way weak wear week well west wet wheat
wheel when where which while white who whole why wide wild wind window wing winter with wolf wood wool word work world write
yard year yellow yes young`
