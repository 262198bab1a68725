import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'
import { toast } from '#web/ui/states/toast.ts'

interface CopyButtonProps {
  /** 'protocolo' */
  what: string
  /** The label once it is copied, for a feminine noun: 'Linha copiada'. */
  copied?: string
  text: string
}

/** Copies a short text; without access to the clipboard the text is shown instead. */
export function CopyButton({ what, copied = `${capital(what)} copiado`, text }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    if (!(await copyText(text))) {
      toast({ title: 'Não foi possível copiar', description: `${capital(what)} ${text}`, tone: 'error' })
      return
    }
    setIsCopied(true)
  }
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const label = isCopied ? copied : `Copiar ${what}`
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
