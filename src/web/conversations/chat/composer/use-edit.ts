import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Message } from '#shared/messages/messages.ts'
import { toast } from '#web/ui/states/toast.ts'
import { useEditMessage } from '#web/conversations/mutations/message-mutations.ts'
import type { Chat } from '#web/conversations/sends/sends.ts'

export interface Editing {
  message: Message
  text: string
}

/** What was typed in each edit: the composer is left while a note is written. */
const typedIn = new WeakMap<Editing, string>()

interface Edited {
  chat: Chat
  editing?: Editing | undefined
  onEditDone?: () => void
  field: RefObject<HTMLTextAreaElement | null>
}

/** The new text of the message being edited; undefined while none is. */
export function useEdit({ chat, editing, onEditDone, field }: Edited) {
  const [typed, setTyped] = useState<{ of: Editing; text: string }>()
  const { mutate } = useEditMessage('conversationId' in chat ? chat.conversationId : 0)
  useLayoutEffect(() => {
    // Moves the cursor to the end of the text.
    if (editing) field.current?.setSelectionRange(editing.text.length, editing.text.length)
  }, [editing, field])
  if (!editing) return undefined
  const save = (content: string) => {
    if (content === '')
      return toast({
        tone: 'error',
        title: 'A mensagem não pode ficar vazia',
        description: "Para tirá-la da conversa, use 'Apagar para todos'.",
      })
    if (content !== editing.message.content) mutate({ messageId: editing.message.id, content })
    return onEditDone?.()
  }
  const text = typed?.of === editing ? typed.text : (typedIn.get(editing) ?? editing.text)
  const write = (next: string) => {
    typedIn.set(editing, next)
    setTyped({ of: editing, text: next })
  }
  return { text, write, save }
}
