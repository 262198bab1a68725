import { Copy } from 'lucide-react'
import type { Message } from '#shared/messages/messages.ts'
import { describedTexts as words } from '#shared/text/text.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { copyText } from '#web/ui/buttons/copy-text.ts'
import { toast } from '#web/ui/states/toast.ts'

/** Copies the key of a Pix card, to be pasted at the bank; nothing for any other message. */
export function PixKey({ message }: { message: Message }) {
  const key = pixKeyIn(message)
  if (key === undefined) return null
  const copy = async () =>
    toast(
      (await copyText(key))
        ? { title: 'Chave Pix copiada' }
        : { title: 'Não foi possível copiar', description: key, tone: 'error' },
    )
  return (
    <div className="mt-1.5">
      <Button size="sm" icon={Copy} onClick={() => void copy()}>
        Copiar chave Pix
      </Button>
    </div>
  )
}

/**
 * The key, or the code to copy and paste, of a card that the parser has described in lines: 'Pix', the owner,
 * and 'Chave (CPF): …' or 'Código: …'. undefined of anything that a person wrote.
 */
function pixKeyIn({ content, metadata }: Message): string | undefined {
  if (metadata.gatewayType === undefined) return undefined
  const lines = content.split('\n')
  const at = lines.indexOf(words.pix)
  if (at < 0) return undefined
  const own = lines.slice(at + 1, at + 3)
  const line = own.find((one) => one.startsWith(words.pixKey) || one.startsWith(words.pixCode))
  return line?.slice(line.indexOf(': ') + 2) || undefined
}
