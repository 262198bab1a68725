import { maxSettingText } from '#shared/settings/schedule.ts'
import { agentSentence, helpSentence, transcriptionSentence } from '#shared/text/assistant-texts.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'

/** What is switched on that the text on personal data has to mention. */
export interface Uses {
  agent: boolean
  help: boolean
  transcription: boolean
}

/**
 * The text on personal data after something was switched on or off: what was switched on is mentioned at its
 * end, what was switched off no longer. A text that somebody has reworded since, or emptied, stays as it is.
 * Pure.
 */
export function updatePrivacyNotice(text: string, before: Uses, after: Uses): string {
  const withAgent = mention(text, agentSentence, before.agent, after.agent)
  const withHelp = mention(withAgent, helpSentence, before.help, after.help)
  return mention(withHelp, transcriptionSentence, before.transcription, after.transcription)
}

function mention(text: string, sentence: string, was: boolean, is: boolean): string {
  if (was === is) return text
  if (!is) return text.replace(sentence, '').trimEnd()
  if (showsNothing(text) || text.includes(sentence)) return text
  const longer = `${text.trimEnd()} ${sentence}`
  return longer.length > maxSettingText ? text : longer
}
