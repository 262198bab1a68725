import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { copyText } from './copy-text.ts'
import { toast } from '#web/ui/states/toast.ts'

/** Copies a short text; without access to the clipboard the text is shown instead. */
export function CopyButton({ what, text }: { /** 'protocolo' */ what: string; text: string }) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    if (!(await copyText(text))) {
      toast({ title: 'Não foi possível copiar', description: `${capital(what)} ${text}`, tone: 'error' })
      return
    }
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), 2000)
  }
  const label = isCopied ? `${capital(what)} copiado` : `Copiar ${what}`
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => void copy()}
      className={[
        'grid size-6 flex-none place-items-center rounded-[6px]',
        'text-ink-2 hover:bg-hover hover:text-ink',
      ].join(' ')}
    >
      {isCopied ? <Check aria-hidden size={12} /> : <Copy aria-hidden size={12} />}
    </button>
  )
}

function capital(word: string) {
  return word.charAt(0).toLocaleUpperCase('pt-BR') + word.slice(1)
}
