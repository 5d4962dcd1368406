# Picks the datatype messages out of the files that datatype-messages.c left in this folder.
import sys
files={}
for line in open(sys.argv[1]):
    name,bound,addr=line.split(); addr=int(addr)
    b=files.setdefault(bound,open(bound,'rb').read())
    if b[addr:addr+4]==b'OHDR':
        flags=b[addr+5]; p=addr+6+(16 if flags&0x20 else 0)+(4 if flags&0x10 else 0); p+=1<<(flags&3)
        while True:
            t=b[p]; size=int.from_bytes(b[p+1:p+3],'little'); p+=4+(2 if flags&4 else 0)
            if t==3: break
            p+=size
    else:
        p=addr+16
        while True:
            t=int.from_bytes(b[p:p+2],'little'); size=int.from_bytes(b[p+2:p+4],'little'); p+=8
            if t==3: break
            p+=size
    print(name,bound,b[p:p+size].hex())
